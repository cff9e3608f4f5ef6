import { ActionIcon } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { boardPx, MarkDrawing, SoundSwitch } from '@/shared/board';
import { cellText, type Game, type Mark } from '@/shared/rules';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Tally } from '@/shared/ui/Tally';
import classes from './PracticeView.module.css';
import { SettingsIcon } from './icons';

export interface Seat {
  mark: Mark;
  name: string;
  isOnMove: boolean;
  won: number;
}

export interface Status {
  title: string;
  detail: string;
  /** The result, if the game is over. */
  end?: 'won' | 'lost' | 'draw' | null;
}

interface PracticeViewProps {
  title: string;
  seats: readonly Seat[];
  status: Status;
  /** The game, whose moves are listed beside the board if there is room. */
  game: Game;
  onSettings: () => void;
  board: ReactNode;
  actions: ReactNode;
}

/** The layout of practice: the board is as large as fits; players, status and buttons around it never move. */
export function PracticeView({ title, seats, status, game, onSettings, board, actions }: PracticeViewProps) {
  return (
    <div className={classes.table} style={{ '--least': `${boardPx(game.size)}px` } as CSSProperties} data-fills>
      <header className={classes.header}>
        <PageHeading title={title} back={{ to: '/app/practice', label: 'Back to practice' }} />
        <SoundSwitch />
        <ActionIcon onClick={onSettings} aria-label="Settings">
          <SettingsIcon />
        </ActionIcon>
      </header>
      <ul className={classes.seats} aria-label="Players">
        {seats.map(({ mark, name, isOnMove, won }) => (
          <li key={mark} className={classes.seat} data-turn={isOnMove} data-mark={mark}>
            <span className={classes.mark} role="img" aria-label={`plays ${mark}`}>
              <MarkDrawing mark={mark} />
            </span>
            <span className={classes.name}>{name}</span>
            <Tally count={won} of="win" />
          </li>
        ))}
      </ul>
      <div className={classes.board}>
        <div>{board}</div>
      </div>
      <section className={classes.status} aria-label="Status" data-end={status.end}>
        <h2>{status.title}</h2>
        <p>{status.detail}</p>
      </section>
      <Moves game={game} />
      <div className={classes.actions}>{actions}</div>
    </div>
  );
}

/** The latest move is first in the DOM; the stylesheet orders it visually. */
function Moves({ game: { moves, board } }: { game: Game }) {
  if (moves.length === 0) return null;
  return (
    // A scrollable list must be reachable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ol className={classes.moves} reversed aria-label="Moves" tabIndex={0}>
      {moves
        .map((place, index) => {
          const mark = board[place[0]]?.[place[1]];
          return (
            <li key={index}>
              <span>{index + 1}</span>
              <b data-mark={mark}>{mark}</b>
              {cellText(place)}
            </li>
          );
        })
        .reverse()}
    </ol>
  );
}
