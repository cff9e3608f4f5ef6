import { act, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventState, StageRound, StageStanding } from '@/api/events';
import { renderPart } from '@/testing/renderPart';
import { actions, answer, failure, server } from '@/testing/server';
import { BEGUN, bye, entrant, pairing, played, stageEvent, stageRound, standing } from '@/testing/stageRounds';
import type { StageFormat } from './formats';
import { StageView } from './StageView';

const [adam, bea, cleo] = [entrant('Adam', 1), entrant('Bea', 2), entrant('Cleo', 3)];

let rounds: StageRound[];
let standings: StageStanding[];

beforeEach(() => {
  rounds = [
    stageRound(1, [bye(1, adam), played(2, [bea, cleo], [cleo, cleo])], BEGUN),
    stageRound(2, [pairing(1, [adam, cleo], [null])], BEGUN),
  ];
  standings = [standing(cleo, 1, 1), standing(adam, 2, 1), standing(bea, 3, 0)];
  const { handlers } = actions('event', {
    get_rounds: () => answer({ rounds: rounds as never, expectedRounds: 2 }),
    get_standings: () => answer({ standings: standings as never }),
  });
  server.use(...handlers);
});

const show = (format: StageFormat, eventState: EventState = 'started') =>
  renderPart(<StageView event={stageEvent({ format, eventState })} />);
const tabs = async () => (await screen.findAllByRole('tab')).map(({ textContent }) => textContent);

describe('an event in stage rounds', () => {
  it.each<[StageFormat, string[]]>([
    ['knockout', ['Bracket', 'Rounds', 'Standings']],
    ['swiss', ['Rounds', 'Standings']],
    ['roundRobin', ['Rounds', 'Cross table', 'Standings']],
  ])('as a %s has the views %j, the first one open', async (format, names) => {
    show(format);
    expect(await tabs()).toEqual(names);
    expect(screen.getByRole('tab', { selected: true })).toHaveTextContent(names[0]!);
  });

  it('shows the bracket of a knockout, then what one chooses', async () => {
    const { user } = show('knockout');
    expect(await screen.findByRole('region', { name: 'Bracket' })).toHaveTextContent('Cleo');
    await user.click(screen.getByRole('tab', { name: 'Rounds' }));
    expect(screen.getByRole('list', { name: 'Matches of Final' })).toBeInTheDocument();
    await user.click(screen.getByRole('tab', { name: 'Standings' }));
    const rows = within(await screen.findByRole('region', { name: 'Standings' })).getAllByRole('rowheader');
    expect(rows.map(({ textContent }) => textContent)).toEqual(['Cleo', 'Adam', 'Bea']);
  });

  it('has a cross table in the order of the standings', async () => {
    const { user } = show('roundRobin');
    await user.click(await screen.findByRole('tab', { name: 'Cross table' }));
    const rows = within(screen.getByRole('region', { name: 'Cross table' })).getAllByRole('rowheader');
    expect(rows.map(({ textContent }) => textContent)).toEqual(['1Cleo', '2Adam', '3Bea']);
  });

  it.each<[StageFormat, EventState, string]>([
    ['knockout', 'published', 'The bracket is drawn when the event starts.'],
    ['swiss', 'published', 'The first round is paired when the event starts.'],
    ['knockout', 'started', 'The bracket is drawn once there are two players.'],
    ['roundRobin', 'ended', 'No round was played.'],
  ])('without a round, as a %s that is %s, says %s', async (format, eventState, text) => {
    rounds = [];
    show(format, eventState);
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.queryByRole('tab')).not.toBeInTheDocument();
  });

  it('says that it loads, and that it could not be loaded', async () => {
    server.use(...actions('event', { get_rounds: () => failure(503), get_standings: () => failure(503) }).handlers);
    const { user } = show('swiss');
    expect(screen.getByText('Loading the rounds…')).toBeInTheDocument();
    expect(await screen.findByText('The rounds could not be loaded.')).toBeInTheDocument();
    server.use(
      ...actions('event', {
        get_rounds: () => answer({ rounds: rounds as never, expectedRounds: 2 }),
        get_standings: () => failure(503),
      }).handlers,
    );
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await user.click(await screen.findByRole('tab', { name: 'Standings' }));
    expect(await screen.findByText('The standings could not be loaded.')).toBeInTheDocument();
  });

  it('is printed whole: the bracket, the standings and every round', async () => {
    show('knockout');
    await screen.findByRole('region', { name: 'Bracket' });
    expect(screen.queryByRole('heading', { name: 'Standings' })).not.toBeInTheDocument();
    act(() => window.dispatchEvent(new Event('beforeprint')));
    const heading = await screen.findByRole('heading', { name: 'Standings' });
    const sheet = within(heading.closest('div')!);
    expect(sheet.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      // The columns of the bracket come first.
      'Semi-finals',
      'Final',
      'Standings',
      'Semi-finals',
      'Final',
    ]);
    expect(sheet.getByText('Knockout')).toBeInTheDocument();
    expect(sheet.getAllByText('Cleo won')).toHaveLength(1);
    expect(sheet.queryByRole('link')).not.toBeInTheDocument();
    act(() => window.dispatchEvent(new Event('afterprint')));
    expect(screen.queryByRole('heading', { name: 'Standings' })).not.toBeInTheDocument();
  });
});
