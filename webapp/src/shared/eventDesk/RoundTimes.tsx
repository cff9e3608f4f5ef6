import { Button } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { DateTimeField } from './DateTimeField';
import classes from './EventFieldset.module.css';
import { endAfter, type EventFields, mostRoundTimes } from './eventForm';

/** Minutes after the time before, at first. */
const APART = 60;

/** Fixed times of the rounds after the first: docs/behaviour/formats.md#fixed-times. */
export function RoundTimes({ form }: { form: UseFormReturnType<EventFields> }) {
  const { roundTimes, startTime } = form.values;
  const isWrong = form.errors['roundTimes'] !== undefined;
  const before = roundTimes.at(-1) ?? startTime;
  const set = (times: string[]) => form.setFieldValue('roundTimes', times);
  const last = roundTimes.length + 1;
  return (
    <div role="group" aria-label="Fixed times of rounds">
      {roundTimes.length > 0 && (
        <div className={classes.pair}>
          {roundTimes.map((time, nth) => (
            <DateTimeField
              // A round keeps its place: only the last one is removed.
              key={nth}
              label={`Round ${nth + 2} begins`}
              value={time}
              onChange={(value) => set(roundTimes.map((each, at) => (at === nth ? (value ?? each) : each)))}
              clearable={false}
              error={isWrong}
            />
          ))}
        </div>
      )}
      <div className={classes.durations}>
        {roundTimes.length < mostRoundTimes(form.values) && (
          <Button
            variant="default"
            size="compact-md"
            disabled={before === null}
            onClick={() => set([...roundTimes, endAfter(before ?? '', APART)])}
          >
            {`Fix a time for round ${last + 1}`}
          </Button>
        )}
        {roundTimes.length > 0 && (
          <Button variant="default" size="compact-md" onClick={() => set(roundTimes.slice(0, -1))}>
            {`Remove the time of round ${last}`}
          </Button>
        )}
      </div>
      <p className={classes.hint}>
        {before === null
          ? 'Pick a start first to fix the times of later rounds, as for an event of two days.'
          : 'A round never begins before its time. A round without one begins when the last one has ended.'}
      </p>
    </div>
  );
}
