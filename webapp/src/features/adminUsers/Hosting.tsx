import { type User, useAllowHostingMutation } from '@/api/admin';
import { failureText } from '@/shared/account/failure';
import { nameOf } from '@/shared/people/personSummary';
import { toast } from '@/shared/ui/toast';
import { Toggle } from '@/shared/ui/Toggle';

/** Whether somebody hosts private events: with a verified email, or by an admin's word. */
export function Hosting({ user }: { user: User }) {
  const { userId, emailVerified, mayHost = false } = user;
  const [allow, { isLoading }] = useAllowHostingMutation();
  const change = async (allowed: boolean) => {
    const { error } = await allow({ userId, allowed });
    const name = nameOf(user);
    if (error === undefined)
      toast.success(allowed ? `${name} may host events now.` : `${name} may not host events now.`);
    else toast.error(failureText(error, 'Failed to change who may host'));
  };
  if (emailVerified) return <p>May host private events where members may: the email is verified.</p>;
  return (
    <Toggle
      label="May host private events"
      description="Without your word that needs a verified email."
      isOn={mayHost}
      disabled={isLoading}
      onSwitch={(allowed) => void change(allowed)}
    />
  );
}
