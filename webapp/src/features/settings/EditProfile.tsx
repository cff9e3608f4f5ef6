import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useUpdateProfileMutation } from '@/api/account';
import { ChangeUsername } from '@/shared/account/ChangeUsername';
import { displayNameError, nameError } from '@/shared/account/rules';
import { AvatarPicker } from '@/shared/avatar/AvatarPicker';
import { selectIsRemembered, userChanged } from '@/shared/session/sessionSlice';
import { Card } from '@/shared/ui/Card';
import { toast } from '@/shared/ui/toast';
import { UnsavedChanges } from '@/shared/ui/UnsavedChanges';
import { DangerZone } from './DangerZone';
import { GuestProfile } from './GuestProfile';
import { isChanged } from './profileForm';
import { PageVisibility } from './PageVisibility';
import classes from './Settings.module.css';
import { useAccount } from './useAccount';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { Failure } from '@/shared/ui/Failure';

const NOT_LOADED = 'Available when the server can be reached';

export function EditProfile() {
  const user = useAccount();
  const isRemembered = useAppSelector(selectIsRemembered);
  // The browser does not store first and last name: the form begins anew when the server has sent them.
  if (user.isTempUser) {
    return (
      <>
        <GuestProfile user={user} />
        <DangerZone />
      </>
    );
  }
  return <ProfileSettings key={String(isRemembered)} isRemembered={isRemembered} />;
}

function ProfileSettings({ isRemembered }: { isRemembered: boolean }) {
  const user = useAccount();
  const dispatch = useAppDispatch();
  const [update, { isLoading }] = useUpdateProfileMutation();
  const form = useForm({
    initialValues: { displayName: user.displayName, firstName: user.firstName, lastName: user.lastName },
    validate: { displayName: displayNameError, firstName: nameError, lastName: nameError },
  });

  const { submit, failure } = useFormSubmit(form, async ({ displayName, firstName, lastName }) => {
    const profileUpdate = {
      userId: user.userId,
      displayName: displayName.trim(),
      firstName: firstName.trim(),
      lastName: lastName.trim(),
    };
    const { data, error } = await update(profileUpdate);
    if (data !== undefined) {
      dispatch(userChanged(data.user));
      const { displayName, firstName, lastName } = data.user;
      form.setValues({ displayName, firstName, lastName });
      toast.success('Your profile is saved.');
    }
    return error;
  });

  const hasChanges = isChanged(form.values, user);

  return (
    <>
      <UnsavedChanges when={!isRemembered && hasChanges}>Your changes to your profile are not saved.</UnsavedChanges>
      <Card title="Your profile">
        <AvatarPicker user={user} />
        <form className={classes.form} onSubmit={submit} noValidate>
          <TextInput label="Display Name" autoComplete="nickname" {...form.getInputProps('displayName')} />
          <div className={classes.pair}>
            <TextInput
              label="First Name"
              autoComplete="given-name"
              placeholder={isRemembered ? NOT_LOADED : ''}
              readOnly={isRemembered}
              {...form.getInputProps('firstName')}
            />
            <TextInput
              label="Last Name"
              autoComplete="family-name"
              placeholder={isRemembered ? NOT_LOADED : ''}
              readOnly={isRemembered}
              {...form.getInputProps('lastName')}
            />
          </div>
          <TextInput
            label="Email"
            type="email"
            value={user.email}
            placeholder={isRemembered ? NOT_LOADED : ''}
            readOnly
            className={classes.readOnly ?? ''}
          />
          <Failure text={failure} />
          <div className={classes.actions}>
            <Button type="submit" disabled={isRemembered || !hasChanges} loading={isLoading}>
              Save
            </Button>
          </div>
        </form>
      </Card>
      <Card title="Your username">
        <ChangeUsername user={user} />
      </Card>
      {!isRemembered && <PageVisibility />}
      <DangerZone />
    </>
  );
}
