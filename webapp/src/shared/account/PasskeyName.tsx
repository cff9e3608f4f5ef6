import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Failure } from '@/shared/ui/Failure';
import { composed, visibleError } from '@/shared/visible';
import classes from './PasskeyName.module.css';
import { useFormSubmit } from './useFormSubmit';

const NAME_MAX = 40;

function nameError(name: string): string | null {
  const { length } = [...composed(name)];
  if (length < 1 || length > NAME_MAX) return `A passkey needs a name of 1 to ${NAME_MAX} characters.`;
  return visibleError(name, 'The name');
}

interface PasskeyNameProps {
  name: string;
  action: string;
  /** Returns the error, if any. */
  onName: (name: string) => Promise<unknown>;
  onCancel: () => void;
}

/** Names a passkey. */
export function PasskeyName({ name, action, onName, onCancel }: PasskeyNameProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name }, validate: { name: nameError } });
  const { submit, failure } = useFormSubmit(form, ({ name }) => onName(name.trim()));
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="Name of the passkey"
        description="So that you recognise it, for example ‘My phone’."
        autoComplete="off"
        required
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <Failure text={failure} />
      <div className={classes.actions}>
        <Button type="submit" loading={form.submitting}>
          {action}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
