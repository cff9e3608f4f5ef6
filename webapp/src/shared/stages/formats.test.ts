import { expect, it } from 'vitest';
import contract from '../../../../openapi/openapi.json';
import {
  FORMATS,
  formatName,
  formatSentence,
  reasonText,
  TIE_BREAKS,
  tieBreakName,
  tieBreakSentence,
  tieBreakShort,
} from './formats';

const { EventFormat, MatchReason, TieBreakName } = contract.components.schemas;

it('every format of the contract has a name and one sentence', () => {
  expect([...FORMATS].toSorted()).toEqual(EventFormat.enum.toSorted());
  expect(FORMATS.map(formatName)).toEqual(['Arena', 'Knockout', 'Swiss', 'Round robin']);
  for (const format of FORMATS) expect(formatSentence(format)).toMatch(/^[A-Z][^.]+\.$/);
});

it('every reason of a match has its words', () => {
  const reasons = ['played', 'bye', 'absent', 'withdrawn', 'ruling'] as const;
  expect([...reasons].toSorted()).toEqual(MatchReason.enum.toSorted());
  expect(new Set(reasons.map(reasonText)).size).toBe(reasons.length);
  expect(reasonText('absent')).toBe('Decided by absence');
});

it('every tie-break has a name, a short one and a sentence, in the order in which they decide', () => {
  expect([...TIE_BREAKS].toSorted()).toEqual(TieBreakName.enum.toSorted());
  expect(TIE_BREAKS.map(tieBreakName)).toEqual([
    'Buchholz cut 1',
    'Buchholz',
    'Sonneborn-Berger',
    'Wins',
    'Head to head',
  ]);
  expect(TIE_BREAKS.map(tieBreakShort)).toEqual(['BC1', 'BH', 'SB', 'W', 'H2H']);
  for (const tieBreak of TIE_BREAKS) expect(tieBreakSentence(tieBreak)).toMatch(/\.$/);
});
