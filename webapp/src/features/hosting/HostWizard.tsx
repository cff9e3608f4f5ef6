import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { dateTime } from '@/shared/events/times';
import { BotsAllowed } from '@/shared/eventDesk/EntryFields';
import { HowFields, WhatFields, WhenFields } from '@/shared/eventDesk/EventFieldset';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import { focusHeading } from '@/shared/ui/focusHeading';
import { Steps } from '@/shared/ui/Steps';
import { UnsavedChanges } from '@/shared/ui/UnsavedChanges';
import { durationText } from '@/shared/eventDesk/eventForm';
import classes from './HostPage.module.css';
import { minutesOf } from './hostForm';
import { Made } from './Made';
import { type HostWizardState, STEPS, useHostWizard } from './useHostWizard';

const NAMES = STEPS.map(({ name }) => name);

interface HostWizardProps {
  /** An event is being made. */
  onBegun: () => void;
}

/** From the idea to the link in three steps. */
export function HostWizard({ onBegun }: HostWizardProps) {
  const wizard = useHostWizard(onBegun);
  const { form, step, madeId } = wizard;
  return (
    <div className={classes.steps}>
      <Steps label="Steps" steps={NAMES} at={step} />
      <FocusedStep step={step}>
        {madeId !== null ? <Made eventId={madeId} /> : step === 0 ? <What {...wizard} /> : <How {...wizard} />}
      </FocusedStep>
      <UnsavedChanges when={madeId === null && form.isDirty()}>Your event is not published yet.</UnsavedChanges>
    </div>
  );
}

/** A step has the focus on its heading when it follows another. */
function FocusedStep({ step, children }: { step: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const heading = box.current?.querySelector('h2');
    if (heading != null) focusHeading(heading);
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [step]);
  return <div ref={box}>{children}</div>;
}

function What({ form, failure, toNext, initial }: HostWizardState) {
  return (
    <Card title="What and when">
      <form className={classes.form} onSubmit={toNext} noValidate>
        <WhatFields form={form} />
        <WhenFields form={form} stored={initial} keepsLength />
        <Failure text={failure} />
        <div className={classes.actions}>
          <Button type="submit">Next</Button>
        </div>
      </form>
    </Card>
  );
}

function How({ form, failure, back, isBusy, publish }: HostWizardState) {
  const { endTime } = form.values;
  return (
    <Card title="How it is played">
      <form className={classes.form} onSubmit={publish} noValidate>
        <HowFields form={form} />
        <BotsAllowed form={form} />
        <p className={classes.note}>
          {`It ends ${dateTime(endTime ?? '')}, ${lengthText(minutesOf(form.values))} after its start.`}
        </p>
        <Failure text={failure} />
        <div className={classes.actions}>
          <Button variant="default" onClick={back} disabled={isBusy}>
            Back
          </Button>
          <Button type="submit" loading={isBusy}>
            Publish Event
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** `1 h 30 min`. */
const lengthText = (minutes: number) => durationText(minutes).slice(1);
