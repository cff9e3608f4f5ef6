"""What the document cannot say about its calls, for the property-based tests of `make prove`."""

import json

import schemathesis
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

@schemathesis.hook
def flatmap_query(context, query):
    """A reading action's `payload` is JSON text of the schema that `x-actions` names for it."""
    definition = context.operation.definition.raw
    actions = {each["action"]: each["payload"] for each in definition.get("x-actions", [])}
    if query is None or query.get("action") not in actions:
        return st.just(query)
    components = context.operation.schema.raw_schema["components"]
    schema = {**actions[query["action"]], "components": components}
    return from_schema(schema).map(lambda payload: {**query, "payload": json.dumps(payload)})
