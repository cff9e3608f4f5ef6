import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate } from 'react-router';
import { type User, useCreateProfileMutation, useGetProvidersQuery, useRegisterMutation } from '@/api/account';
import { REGISTRATION } from '@/shared/account/registration';
import { ChangeUsername } from '@/shared/account/ChangeUsername';
import { displayNameError } from '@/shared/account/rules';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { VerifyEmail } from '@/shared/account/VerifyEmail';
import { AvatarPicker } from '@/shared/avatar/AvatarPicker';
import { selectUser, userChanged } from '@/shared/session/sessionSlice';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import { PageHeading } from '@/shared/ui/PageHeading';
import { suggestedName } from './suggestedName';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './AccountSetupPage.module.css';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import { ifKnown } from '@/shared/ui/Loaded';

/** /app/accountSetup: the optional first steps of a new account. */
export default function AccountSetupPage() {
  const user = useAppSelector(selectUser);
  const providers = ifKnown(useGetProvidersQuery());
  // Registering sends a code by email.
  const [, { isSuccess: hasRegistered }] = useRegisterMutation(REGISTRATION);
  if (user === null) return null;
  const isToVerify = providers?.mail === true && !user.emailVerified && user.email !== '';
  // The provider's sign-up derives the username from the name without asking.
  const hasUsernameOfProvider = !user.isTempUser && !user.hasPassword && user.usernameChangeableAt === undefined;
  return (
    <div className={classes.page}>
      <PageHeading title="Set up your account">What should other players call you?</PageHeading>
      <Card title="Your picture">
        <AvatarPicker user={user} />
      </Card>
      {isToVerify && (
        <Card title="Your email">
          <VerifyEmail email={user.email} isSent={hasRegistered} />
        </Card>
      )}
      {hasUsernameOfProvider && (
        <Card title="Your username">
          <ChangeUsername user={user} />
        </Card>
      )}
      <DisplayName user={user} />
    </div>
  );
}

function DisplayName({ user }: { user: User }) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [complete, { isLoading }] = useCreateProfileMutation();
  const form = useForm({
    initialValues: { displayName: user.displayName },
    validate: { displayName: displayNameError },
  });
  const { submit, failure } = useFormSubmit(form, async ({ displayName }) => {
    const { data, error } = await complete({ userId: user.userId, displayName: displayName.trim() });
    if (data === undefined) return error;
    dispatch(userChanged(data.user));
    await navigate('/app/home');
    return undefined;
  });
  return (
    <Card title="Your name">
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label="Display Name"
          description="What others see. You can change it at any time."
          autoComplete="nickname"
          {...form.getInputProps('displayName')}
        />
        <Button variant="default" onClick={() => form.setValues({ displayName: suggestedName() })}>
          Suggest a name
        </Button>
        <Failure text={failure} />
        <div className={classes.actions}>
          <Button type="submit" loading={isLoading}>
            Start playing
          </Button>
          <Link to="/app/home" className={textLink.link}>
            Later
          </Link>
        </div>
      </form>
    </Card>
  );
}
