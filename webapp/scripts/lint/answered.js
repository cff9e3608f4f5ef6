/**
 * A call of the server can fail, and whoever reads or acts on a page is told: what a query's hook returns is given whole
 * to `Loaded` or `ifKnown`, or its `error` is taken; what a mutation's hook sends is answered, or its state's `error` is
 * taken.
 */

const QUERY = /^use(?!Lazy|Media)\w+(Query|QueryState)$/;
const LAZY = /^useLazy\w+Query$/;
const MUTATION = /^use\w+Mutation$/;
/** What is done with an answer that a call returned: it is waited for, kept, returned or handed on. */
const WRAPPERS = [
  'AwaitExpression',
  'TSNonNullExpression',
  'TSAsExpression',
  'ChainExpression',
  'ConditionalExpression',
];

const MESSAGES = {
  query: "This read can fail: give its result to <Loaded of={…}> whole, take its 'error', or wrap it in ifKnown().",
  act: "This act can fail: take 'error' of what it returns, and tell the user.",
};

/** @param {import('estree').CallExpression} call */
function hookOf({ callee }) {
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  return name.type === 'Identifier' ? name.name : '';
}

function takes(pattern, names) {
  return pattern.properties.some(
    (property) => property.type === 'RestElement' || names.includes(property.key?.name ?? ''),
  );
}

/** Whether a pattern takes the data and leaves what happened to it. */
function isHalf(pattern) {
  return takes(pattern, ['data', 'currentData']) && !takes(pattern, ['error', 'isError']);
}

/** Whether every use of a variable's data goes with a use of its error, or hands it on whole. */
function isHalfUsed(variable) {
  const uses = variable.references.filter((reference) => reference.isRead()).map(({ identifier }) => identifier);
  const fields = uses.map(({ parent }) =>
    parent.type === 'MemberExpression' && parent.property.type === 'Identifier' ? parent.property.name : null,
  );
  const readsData = fields.some((field) => field === 'data' || field === 'currentData');
  return readsData && !fields.some((field) => field === null || field === 'error' || field === 'isError');
}

/** Whether the answer of this call of a trigger is dropped. */
function isDropped(call) {
  let node = call;
  while (WRAPPERS.includes(node.parent.type)) node = node.parent;
  const { parent } = node;
  if (parent.type === 'ExpressionStatement' || (parent.type === 'UnaryExpression' && parent.operator === 'void')) {
    return true;
  }
  if (parent.type !== 'VariableDeclarator') return false;
  return parent.id.type === 'ObjectPattern' && !takes(parent.id, ['error']);
}

/** @type {import('eslint').Rule.RuleModule} */
export const answered = {
  meta: { type: 'problem', schema: [], messages: MESSAGES },
  create(context) {
    const variablesOf = (node) => context.sourceCode.getDeclaredVariables(node);

    const checkQuery = (call) => {
      const { parent } = call;
      const half =
        (parent.type === 'MemberExpression' && /^(data|currentData)$/.test(parent.property.name ?? '')) ||
        (parent.type === 'VariableDeclarator' &&
          (parent.id.type === 'ObjectPattern' ? isHalf(parent.id) : variablesOf(parent).some(isHalfUsed)));
      if (half) context.report({ node: call, messageId: 'query' });
    };

    const checkTrigger = (call) => {
      const { parent } = call;
      if (parent.type !== 'VariableDeclarator' || parent.id.type !== 'ArrayPattern') return;
      const [trigger, state] = parent.id.elements;
      if (state?.type === 'ObjectPattern' && takes(state, ['error'])) return;
      const variables = variablesOf(parent);
      const stateVariable = state?.type === 'Identifier' && variables.find(({ name }) => name === state.name);
      const tellsByState =
        stateVariable &&
        stateVariable.references.some(({ identifier }) => identifier.parent.property?.name === 'error');
      if (trigger?.type !== 'Identifier' || tellsByState) return;
      const variable = variables.find(({ name }) => name === trigger.name);
      for (const { identifier } of variable?.references ?? []) {
        if (identifier.parent.type !== 'CallExpression' || identifier.parent.callee !== identifier) continue;
        if (isDropped(identifier.parent)) context.report({ node: identifier.parent, messageId: 'act' });
      }
    };

    return {
      CallExpression(call) {
        const hook = hookOf(call);
        if (QUERY.test(hook)) checkQuery(call);
        if (MUTATION.test(hook) || LAZY.test(hook)) checkTrigger(call);
      },
    };
  },
};
