import { RuleTester } from 'eslint';
import { describe, it } from 'vitest';
// @ts-expect-error -- plain JavaScript, as ESLint's configuration
import { answered } from './answered.js';

RuleTester.describe = describe;
RuleTester.it = it;

new RuleTester({ languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } } }).run('answered', answered, {
  valid: [
    'const read = useGamesQuery(1); show(<Loaded of={read} />)',
    'const { data, error } = useGamesQuery(1);',
    'const site = ifKnown(useSiteQuery());',
    'const read = useGamesQuery(1); use(read.data, read.error)',
    'useGamesQuery(1, { pollingInterval: 1 });',
    'const is = useMediaQuery("x");',
    'const [act] = useActMutation(); async function go() { const { error } = await act(1); return error; }',
    'const [act] = useActMutation(); const go = () => act(1);',
    'const [act] = useActMutation(); const go = async () => settle(await act(1));',
    'const [act, { error }] = useActMutation(); act(1);',
    'const [act, acting] = useActMutation(); act(1); tell(acting.error);',
  ],
  invalid: [
    { code: 'const { data, isLoading } = useGamesQuery(1);', errors: [{ messageId: 'query' }] },
    { code: 'const games = useGamesQuery(1).data;', errors: [{ messageId: 'query' }] },
    { code: 'const read = useGamesQuery(1); use(read.data)', errors: [{ messageId: 'query' }] },
    { code: 'const { currentData } = api.useGamesQuery(1);', errors: [{ messageId: 'query' }] },
    { code: 'const [act] = useActMutation(); act(1);', errors: [{ messageId: 'act' }] },
    { code: 'const [act] = useActMutation(); void act(1);', errors: [{ messageId: 'act' }] },
    { code: 'const [act] = useActMutation(); async () => { await act(1); };', errors: [{ messageId: 'act' }] },
    {
      code: 'const [act] = useActMutation(); async () => { const { data } = await act(1); };',
      errors: [{ messageId: 'act' }],
    },
    { code: 'const [load] = useLazyGamesQuery(); void load();', errors: [{ messageId: 'act' }] },
  ],
});
