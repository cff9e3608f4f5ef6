import { useState } from 'react';
import { Link } from 'react-router';
import { MarkDrawing } from '@/shared/board';
import { dayText, isOffered } from '@/shared/puzzle/days';
import type { PuzzleRecord, PuzzleRecords } from '@/shared/puzzle/records';
import buttons from '@/shared/ui/buttons.module.css';
import { BackIcon } from '@/shared/ui/icons';
import { monthOf, monthsAfter, weeksOf } from './calendar';
import classes from './Calendar.module.css';

interface CalendarProps {
  records: PuzzleRecords;
  /** The day that is shown on the board. */
  day: string;
  today: string;
  onToday: () => void;
}

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

const weekday = (at: number, length: 'short' | 'long') =>
  new Date(MONDAY + at * DAY_MS).toLocaleDateString(undefined, { weekday: length, timeZone: 'UTC' });

/** A month of puzzles, each a link, with what became of it; other months by buttons. */
export function Calendar({ records, day, today, onToday }: CalendarProps) {
  const [month, setMonth] = useState(monthOf(day));
  const has = (other: string) =>
    weeksOf(other).some((week) => week.some((each) => each !== null && isOffered(each, today)));
  const earlier = monthsAfter(month, -1);
  const later = monthsAfter(month, 1);
  return (
    <section className={classes.calendar} aria-labelledby="calendar">
      <header className={classes.header}>
        <h2 id="calendar" aria-live="polite">
          {dayText(`${month}-01`, { month: 'long', year: 'numeric' })}
        </h2>
        <TurnButton label="Earlier month" disabled={!has(earlier)} onTurn={() => setMonth(earlier)} />
        <TurnButton label="Later month" disabled={!has(later)} onTurn={() => setMonth(later)} isLater />
      </header>
      <table className={classes.month} aria-labelledby="calendar">
        <thead>
          <tr>
            {Array.from({ length: 7 }, (_, at) => (
              <th key={at} scope="col">
                <abbr title={weekday(at, 'long')}>{weekday(at, 'short').slice(0, 2)}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week, at) => (
            <tr key={at}>
              {week.map((each, index) => (
                <td key={index}>
                  {each !== null && (
                    <Day day={each} record={records[each]} isShown={each === day} today={today} onToday={onToday} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul className={classes.legend}>
        <li>
          <MarkDrawing mark="X" />
          on its day
        </li>
        <li>
          <MarkDrawing mark="O" />
          later
        </li>
      </ul>
    </section>
  );
}

interface TurnButtonProps {
  label: string;
  disabled: boolean;
  onTurn: () => void;
  isLater?: boolean;
}

function TurnButton({ label, disabled, onTurn, isLater = false }: TurnButtonProps) {
  const className = `${buttons.icon} ${classes.turn} ${isLater ? classes.later : ''}`;
  return (
    <button type="button" className={className} aria-label={label} disabled={disabled} onClick={onTurn}>
      <BackIcon />
    </button>
  );
}

interface DayProps {
  day: string;
  record: PuzzleRecord | undefined;
  isShown: boolean;
  today: string;
  onToday: () => void;
}

function Day({ day, record, isShown, today, onToday }: DayProps) {
  const number = Number(day.slice(-2));
  if (!isOffered(day, today)) return <span className={classes.day}>{number}</span>;
  const solvedOn = record?.solvedOn ?? null;
  const state = solvedOn === null ? 'not solved' : solvedOn === day ? 'solved on its day' : 'solved later';
  return (
    <Link
      to={day === today ? '/app/puzzle' : `/app/puzzle/${day}`}
      onClick={day === today ? onToday : undefined}
      className={classes.day}
      aria-current={isShown ? 'page' : undefined}
      aria-label={`${dayText(day, { day: 'numeric', month: 'long' })}${day === today ? ', today' : ''}, ${state}`}
      data-today={day === today || undefined}
    >
      {solvedOn !== null && <MarkDrawing mark={solvedOn === day ? 'X' : 'O'} row={number % 5} col={number % 3} />}
      <span>{number}</span>
    </Link>
  );
}
