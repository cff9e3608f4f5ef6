"""What the document cannot say of its calls, for `make properties`."""

import itertools
import os
import re

import schemathesis
from world import Person, ids, shell_token

PERSON = Person(os.environ["PROPERTIES_ROLE"])
IDS = ids(PERSON)
SHELL_TOKEN = shell_token()
CALLS = itertools.count(1)
UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def known(value, name=""):
    """The value with most of its ids being of what there is: the same ones for the same value."""
    if isinstance(value, dict):
        return {key: known(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [known(each, name) for each in value]
    kind = next((kind for kind in IDS if name.replace("_", "").lower().endswith(kind)), None)
    if kind is None or not isinstance(value, str) or not UUID.fullmatch(value) or int(value[-1], 16) % 4 == 0:
        return value
    return IDS[kind][int(value[:8], 16) % len(IDS[kind])]


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    return known(path_parameters)


@schemathesis.hook
def map_query(context, query):
    return known(query)


@schemathesis.hook
def map_body(context, body):
    return known(body) if isinstance(body, dict) else body


@schemathesis.auth(refresh_interval=None)
class Session:
    def get(self, case, context):
        return PERSON.headers

    def set(self, case, data, context):
        case.headers.update(data)


@schemathesis.hook
def after_call(context, case, response):
    """Some calls end the session that they are made with, or delete its account."""
    renews = next(CALLS) % 200 == 0
    if (renews or response.status_code in (401, 403)) and not PERSON.is_known():
        PERSON.join()
    # What there was may be deleted, suspended or over by now.
    if renews:
        IDS.update(ids(PERSON))


@schemathesis.hook
def filter_body(context, body):
    """Without its token the shell could make no more admins."""
    return SHELL_TOKEN not in str(body)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Leaves each action to its own operation, so that payloads and answers are those of the action, and has the payloads
    of reads made as JSON."""
    paths = raw_schema["paths"]
    for path, operations in list(paths.items()):
        if any("x-actions" in operation for operation in operations.values()):
            del paths[path]
            continue
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                schema = parameter.get("schema", {}).get("contentSchema")
                if schema is not None:
                    del parameter["schema"]
                    parameter["content"] = {"application/json": {"schema": schema}}
