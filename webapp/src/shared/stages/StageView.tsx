import { Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useGetRoundsQuery, useGetStandingsQuery } from '@/api/events';
import type { components } from '@/api/schema';
import { selectUser } from '../session/sessionSlice';
import { useAppSelector } from '../storeHooks';
import { EmptyList } from '../ui/EmptyList';
import { Loaded, type Read } from '../ui/Loaded';
import { Bracket } from './Bracket';
import { CrossTable } from './CrossTable';
import type { StageEvent, StageFormat } from './formats';
import { RoundPairings } from './RoundPairings';
import { StageSheet } from './StageSheet';
import { stageRead } from './stageRead';
import classes from './StageView.module.css';
import { StandingsTable } from './StandingsTable';
import { usePrinting } from './usePrinting';

type Schemas = components['schemas'];

/** The views of each format; the first one is shown at first. */
const VIEWS: Record<StageFormat, readonly View[]> = {
  knockout: ['bracket', 'rounds', 'standings'],
  swiss: ['rounds', 'standings'],
  roundRobin: ['rounds', 'cross', 'standings'],
};

type View = 'bracket' | 'rounds' | 'cross' | 'standings';

const NAMES: Record<View, string> = {
  bracket: 'Bracket',
  rounds: 'Rounds',
  cross: 'Cross table',
  standings: 'Standings',
};

/** All of an event in stage rounds: its bracket, rounds, cross table and standings, as its format has them. */
export function StageView({ event }: { event: StageEvent }) {
  const { eventId, eventState, format } = event;
  const rounds = useGetRoundsQuery({ eventId }, stageRead(eventState));
  const standings = useGetStandingsQuery({ eventId }, stageRead(eventState));
  const [chosen, setChosen] = useState<View | null>(null);
  const isPrinting = usePrinting();
  const views = VIEWS[format];
  const view = chosen !== null && views.includes(chosen) ? chosen : (views[0] ?? 'rounds');
  return (
    <Loaded of={rounds} loading="Loading the rounds…" failure="The rounds could not be loaded.">
      {(answer) =>
        answer.rounds.length === 0 ? (
          <NoRounds event={event} />
        ) : (
          <>
            <Tabs
              value={view}
              onChange={(next) => setChosen(next as View)}
              keepMounted={false}
              className={classes.screen ?? ''}
            >
              <Tabs.List className={classes.tabs ?? ''}>
                {views.map((each) => (
                  <Tabs.Tab key={each} value={each}>
                    {NAMES[each]}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              {views.map((each) => (
                <Tabs.Panel key={each} value={each}>
                  <Shown view={each} event={event} answer={answer} standings={standings} />
                </Tabs.Panel>
              ))}
            </Tabs>
            {isPrinting && (
              <StageSheet format={format} answer={answer} standings={standings.currentData?.standings ?? []} />
            )}
          </>
        )
      }
    </Loaded>
  );
}

interface ShownProps {
  view: View;
  event: StageEvent;
  answer: Schemas['RoundsAnswer'];
  standings: Read<Schemas['StandingsAnswer']>;
}

function Shown({ view, event: { eventId, format, paused }, answer, standings }: ShownProps): ReactNode {
  const userId = useAppSelector(selectUser)?.userId ?? null;
  const { rounds, expectedRounds } = answer;
  const shared = { rounds, expectedRounds, userId };
  switch (view) {
    case 'bracket':
      return <Bracket {...shared} />;
    case 'rounds':
      return <RoundPairings {...shared} format={format} isPaused={paused === true} />;
    case 'cross':
      return <CrossTable rounds={rounds} order={orderOf(standings.currentData)} userId={userId} />;
    case 'standings':
      return (
        <Loaded of={standings} loading="Loading the standings…" failure="The standings could not be loaded.">
          {({ standings }) => (
            <StandingsTable eventId={eventId} format={format} standings={standings} userId={userId} />
          )}
        </Loaded>
      );
  }
}

/** Before it is known, players stand in the order of their seeds. */
function orderOf(answer: Schemas['StandingsAnswer'] | undefined): string[] {
  return (answer?.standings ?? []).map(({ userId }) => userId);
}

function NoRounds({ event: { eventState, format } }: { event: StageEvent }) {
  const begins = format === 'knockout' ? 'The bracket is drawn' : 'The first round is paired';
  const isAhead = eventState === 'drafted' || eventState === 'published';
  return (
    <EmptyList>
      <p>
        {isAhead
          ? `${begins} when the event starts.`
          : eventState === 'started'
            ? `${begins} once there are two players.`
            : 'No round was played.'}
      </p>
    </EmptyList>
  );
}
