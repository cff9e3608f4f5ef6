import type { ComponentType } from 'react';
import { ActiveGames } from './ActiveGames';
import { LiveNow } from './LiveNow';
import { NextEvents } from './NextEvents';
import { PlayNow } from './PlayNow';
import { PuzzleCard } from './PuzzleCard';
import { QuickPlay } from './QuickPlay';
import { RecentGames } from './RecentGames';

/** The cards of Home, in order: what waits comes first, then what one can do now, then what was. */
export const HOME_CARDS: readonly ComponentType[] = [
  ActiveGames,
  PlayNow,
  PuzzleCard,
  NextEvents,
  LiveNow,
  QuickPlay,
  RecentGames,
];
