import { Checkbox, NumberInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CLOCK_TEXTS, WISH_CLOCKS } from '@/shared/quickMatch/wish';
import { FORMATS, formatName, formatSentence } from '@/shared/stages/formats';
import { Choice } from '@/shared/ui/Choice';
import classes from './EventFieldset.module.css';
import { eveningOf } from './evening';
import { BOARD_SIZES, type EventFields, MAX_SWISS_ROUNDS } from './eventForm';

interface FormatFieldsProps {
  form: UseFormReturnType<EventFields>;
}

/** How an event is played, and the fields of the format that is chosen. */
export function FormatFields({ form }: FormatFieldsProps) {
  const { format, clock } = form.values;
  return (
    <>
      <Choice
        legend="Format"
        className={classes.formats}
        value={format}
        onChange={(value) => form.setFieldValue('format', value)}
        options={FORMATS.map((each) => ({ value: each, label: formatName(each), detail: formatSentence(each) }))}
        note={eveningNote(form.values)}
      />
      {format === 'arena' ? <MaxLosses form={form} /> : <StageFields form={form} />}
      <Choice
        legend="Clock"
        value={clock}
        onChange={(value) => form.setFieldValue('clock', value)}
        options={WISH_CLOCKS.map((each) => ({ value: each, ...CLOCK_TEXTS[each] }))}
      />
    </>
  );
}

function eveningNote({ format }: EventFields): string {
  if (format === 'arena') return eveningOf(format);
  return `${eveningOf(format)} That is with two games a match. The event ends at its end time even if rounds are left, so leave room; you can extend it while it runs.`;
}

function MaxLosses({ form }: FormatFieldsProps) {
  return (
    <NumberInput
      label="Losses until eliminated"
      description="0 never eliminates."
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min={0}
      max={99}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="strict"
      {...form.getInputProps('maxLosses')}
      error={form.errors.maxLosses !== undefined}
    />
  );
}

/** The fields of events that are played in stage rounds. */
function StageFields({ form }: FormatFieldsProps) {
  const { format, boardSize, matchGames } = form.values;
  return (
    <>
      <div className={classes.pair}>
        <Choice
          legend="Board"
          value={boardSize}
          onChange={(value) => form.setFieldValue('boardSize', value)}
          options={BOARD_SIZES.map((size) => ({ value: size, label: `${size}×${size}` }))}
        />
        <Choice
          legend="Games of a match"
          value={matchGames}
          onChange={(value) => form.setFieldValue('matchGames', value)}
          options={[
            { value: 1, label: 'One' },
            { value: 2, label: 'Two', detail: 'with the seats swapped' },
          ]}
        />
      </div>
      {format === 'swiss' && (
        <NumberInput
          label="Rounds"
          placeholder="By the number of players"
          description="8 players need 4, 16 need 5, 32 need 6."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          max={MAX_SWISS_ROUNDS}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
          {...form.getInputProps('rounds')}
          error={form.errors.rounds !== undefined}
        />
      )}
      {format === 'knockout' && (
        <Checkbox
          label="Play for third place"
          description="The losing semi-finalists play each other alongside the final."
          {...form.getInputProps('thirdPlace', { type: 'checkbox' })}
        />
      )}
      {format === 'roundRobin' && (
        <Checkbox
          label="Everybody meets everybody twice"
          description="It takes twice as long."
          {...form.getInputProps('doubleRounds', { type: 'checkbox' })}
        />
      )}
    </>
  );
}
