/** Parts of the app that stand in pages of other sites: docs/behaviour/embeds.md. They read as visitors do, whoever is signed in. */

import '@fontsource-variable/bricolage-grotesque/wght.css';
import '@fontsource-variable/figtree/wght.css';
import '@/shared/theme/layers.css';
import '@/shared/theme/tokens.css';
import '@/shared/theme/base.css';
import { createRoot } from 'react-dom/client';
import { EmbedEvent } from './EmbedEvent';
import { EmbedReplay } from './EmbedReplay';
import { Nothing } from './Frame';

const root = document.getElementById('root');
if (root === null) throw new Error('embed/index.html has no #root');

// As the browser has it: what was chosen in the app is not read here.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => {
  document.documentElement.dataset.mantineColorScheme = dark.matches ? 'dark' : 'light';
};
follow();
dark.addEventListener('change', follow);

// Known at build time, so that the build contains no mocks.
if (import.meta.env.MODE === 'mock') await (await import('@/testing/mocks/browser')).startMocks();

const [, , kind, id = ''] = window.location.pathname.split('/');
const move = new URLSearchParams(window.location.search).get('move');
createRoot(root).render(
  kind === 'replay' ? (
    <EmbedReplay shareToken={id} move={move} />
  ) : kind === 'event' ? (
    <EmbedEvent eventId={id} />
  ) : (
    <Nothing asked="notShown" what="page" />
  ),
);
