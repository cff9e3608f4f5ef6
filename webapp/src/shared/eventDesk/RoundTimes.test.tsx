import { useForm } from '@mantine/form';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderPart } from '@/testing/renderPart';
import { type EventFields, NEW_EVENT } from './eventForm';
import { RoundTimes } from './RoundTimes';

function Form({ startTime }: Pick<EventFields, 'startTime'>) {
  const form = useForm<EventFields>({ initialValues: { ...NEW_EVENT, format: 'knockout', startTime } });
  return (
    <>
      <RoundTimes form={form} />
      <output>{form.values.roundTimes.join(', ')}</output>
    </>
  );
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('the fixed times of rounds', () => {
  it('are added and removed one after the other', async () => {
    renderPart(<Form startTime="2027-01-02T10:00:00Z" />);
    await press('Fix a time for round 2');
    await press('Fix a time for round 3');
    expect(screen.getByRole('status')).toHaveTextContent('2027-01-02T11:00:00Z, 2027-01-02T12:00:00Z');
    expect(screen.getByText('Round 3 begins')).toBeInTheDocument();
    await press('Remove the time of round 3');
    expect(screen.getByRole('status')).toHaveTextContent(/^2027-01-02T11:00:00Z$/);
  });

  it('come after a start', () => {
    renderPart(<Form startTime={null} />);
    expect(screen.getByRole('button', { name: 'Fix a time for round 2' })).toBeDisabled();
    expect(screen.getByText(/^Pick a start first/)).toBeInTheDocument();
  });
});
