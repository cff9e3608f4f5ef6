import { TextInput } from '@mantine/core';
import { useGetProvidersQuery } from '@/api/account';
import { ifKnown } from '@/shared/ui/Loaded';

interface EmailFieldProps {
  label?: string;
  name?: string;
  description?: string;
  autoComplete?: string;
}

/** An email address. It passes the props of the form's field on. */
export function EmailField({ label = 'Email', ...props }: EmailFieldProps) {
  return <TextInput label={label} type="email" autoComplete="email" required {...props} />;
}

/** Says who knows the code if the server sends no mail. */
export function NoMailHint({ className }: { className: string | undefined }) {
  const providers = ifKnown(useGetProvidersQuery());
  if (providers?.mail !== false) return null;
  return <p className={className}>This server does not send mail yet: ask its operator for the code.</p>;
}

export const CODE_GOES_THERE = 'We send a code there to make sure that it is yours.';
