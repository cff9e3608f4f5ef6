import { ChosenPasswordField, PasswordField } from './PasswordField';
import { passwordError, retypedError } from './rules';

interface NewPassword {
  newPassword: string;
  retyped: string;
}

/** The part of a form's `validate` that belongs to the two fields. */
export const newPasswordRules = {
  newPassword: passwordError,
  retyped: (retyped: string, { newPassword }: NewPassword) => retypedError(retyped, newPassword),
};

interface NewPasswordFieldsProps {
  form: {
    key: (field: keyof NewPassword) => string;
    getInputProps: (field: keyof NewPassword) => object;
  };
}

/** A new password and its repetition. */
export function NewPasswordFields({ form }: NewPasswordFieldsProps) {
  return (
    <>
      <ChosenPasswordField label="New password" key={form.key('newPassword')} {...form.getInputProps('newPassword')} />
      <PasswordField
        label="Retype the new password"
        autoComplete="new-password"
        key={form.key('retyped')}
        {...form.getInputProps('retyped')}
      />
    </>
  );
}
