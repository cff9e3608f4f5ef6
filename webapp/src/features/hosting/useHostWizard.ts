import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useCreateEventMutation, useUpdateEventMutation } from '@/api/events';
import { changesBetween, draftErrors, type EventFields, newEvent } from '@/shared/eventDesk/eventForm';
import { fieldErrorsOf, formFailure, inWords } from '@/shared/eventDesk/formFailure';
import { newHosted, suggestedEnd } from './hostForm';

/** In their order, with the fields that they ask for. */
export const STEPS: readonly { name: string; fields: readonly (keyof EventFields)[] }[] = [
  { name: 'What and when', fields: ['title', 'description', 'startTime', 'endTime'] },
  { name: 'How', fields: [] },
  { name: 'Invite', fields: [] },
];

export type HostWizardState = ReturnType<typeof useHostWizard>;

/** State and actions of the steps that host an event: what is shown of them is in HostWizard.tsx. */
export function useHostWizard(onBegun: () => void) {
  const [initial] = useState(() => newHosted());
  const form = useForm<EventFields>({
    initialValues: initial,
    validate: draftErrors,
    onValuesChange: (fields, before) => {
      const endTime = suggestedEnd(fields, before);
      if (endTime !== undefined) form.setFieldValue('endTime', endTime);
    },
  });
  const [step, setStep] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  /** The draft that could not be published yet: another try changes it. */
  const [draft, setDraft] = useState<{ eventId: string; fields: EventFields } | null>(null);
  const [madeId, setMadeId] = useState<string | null>(null);
  const [create, creating] = useCreateEventMutation();
  const [update, updating] = useUpdateEventMutation();

  const show = (next: number) => {
    setFailure(null);
    setStep(next);
  };
  const refuse = (error: unknown) => {
    const errors = fieldErrorsOf(error);
    // To the step that has the first field that is wrong.
    const asked = STEPS.findIndex(({ fields }) => fields.some((field) => errors[field] !== undefined));
    if (asked >= 0) setStep(asked);
    form.setErrors(errors);
    setFailure(formFailure(error, 'Failed to publish the event'));
  };

  const publish = async (fields: EventFields) => {
    setFailure(null);
    onBegun();
    let eventId = draft?.eventId;
    if (eventId === undefined) {
      const { data, error } = await create(newEvent(fields));
      if (error !== undefined) return refuse(error);
      eventId = data.event.eventId;
      setDraft({ eventId, fields });
    }
    const changes = draft === null ? {} : changesBetween(draft.fields, fields);
    const { error } = await update({ eventId, eventState: 'published', ...changes });
    if (error !== undefined) return refuse(error);
    setMadeId(eventId);
    setStep(STEPS.length - 1);
  };

  const wrong = (errors: Record<string, unknown>) => {
    if (STEPS[0]?.fields.some((field) => errors[field] !== undefined)) setStep(0);
    setFailure(inWords(errors as Record<string, string>));
  };
  return {
    form,
    initial,
    step,
    failure,
    /** The published event. */
    madeId,
    isBusy: creating.isLoading || updating.isLoading,
    toNext: form.onSubmit(() => show(1), wrong),
    back: () => show(0),
    publish: form.onSubmit((fields) => void publish(fields), wrong),
  };
}
