import { Button } from '@mantine/core';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import { type User, useRemoveProfileImageMutation, useUploadAvatarMutation } from '@/api/account';
import { failureText } from '../account/failure';
import { Avatar } from '../people/Avatar';
import { userChanged } from '../session/sessionSlice';
import { Failure } from '../ui/Failure';
import { toast } from '../ui/toast';
import classes from './AvatarPicker.module.css';
import { PICTURE_TYPES, pictureError, readPicture, UNREADABLE } from './picture';
import { useAppDispatch } from '@/shared/storeHooks';

// The cropper is loaded only when a picture is chosen.
const CropDialog = lazyPart(() => import('./CropDialog'));

/** The user's picture: choose and crop another, or remove it. */
export function AvatarPicker({ user }: { user: User }) {
  const input = useRef<HTMLInputElement>(null);
  const { source, failure, choose, save, isSaving, remove, isRemoving, reject, close } = usePicture(user.userId);
  const hasPicture = user.profile !== '';
  return (
    <div className={classes.picker}>
      <Avatar name={user.displayName || user.username} picture={user.profile} size={96} />
      <div className={classes.side}>
        <div className={classes.actions}>
          <Button variant="default" onClick={() => input.current?.click()}>
            {hasPicture ? 'Change picture' : 'Upload picture'}
          </Button>
          {hasPicture && (
            <Button variant="default" loading={isRemoving} onClick={() => void remove()}>
              Delete picture
            </Button>
          )}
        </div>
        <p className={classes.hint}>A png, gif or jpeg. It is made smaller before it is uploaded.</p>
        <Failure text={failure} />
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Picture"
        accept={PICTURE_TYPES.join(',')}
        onChange={(event) => {
          void choose(event.currentTarget.files?.[0]);
          // Allows choosing the same file again.
          event.currentTarget.value = '';
        }}
      />
      {source !== null && (
        <Suspense fallback={null}>
          <CropDialog
            source={source}
            isSaving={isSaving}
            onCut={(picture) => void save(picture)}
            onFail={reject}
            onClose={close}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The picture that is being chosen, and the calls that save or remove one. */
function usePicture(userId: string) {
  const dispatch = useAppDispatch();
  const [source, setSource] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [upload, uploading] = useUploadAvatarMutation();
  const [removeImage, removing] = useRemoveProfileImageMutation();

  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const error = pictureError(file);
    setFailure(error);
    if (error !== null) return;
    try {
      setSource(await readPicture(file));
    } catch {
      setFailure(UNREADABLE);
    }
  };
  const save = async (picture: Blob) => {
    const { data, error } = await upload({ userId, picture });
    setSource(null);
    if (data === undefined) {
      setFailure(failureText(error, 'Request failed'));
      return;
    }
    dispatch(userChanged({ profile: data.profileUrl }));
    toast.success('Your picture is saved.');
  };
  const remove = async () => {
    setFailure(null);
    const { error } = await removeImage();
    if (error === undefined) dispatch(userChanged({ profile: '' }));
    else setFailure(failureText(error, 'Request failed'));
  };
  const close = () => setSource(null);
  const reject = (message: string) => {
    close();
    setFailure(message);
  };
  return {
    source,
    failure,
    choose,
    save,
    isSaving: uploading.isLoading,
    remove,
    isRemoving: removing.isLoading,
    reject,
    close,
  };
}
