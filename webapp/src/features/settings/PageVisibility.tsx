import { Link } from 'react-router';
import { useUpdateProfileMutation } from '@/api/account';
import { failureText } from '@/shared/account/failure';
import { playerPath } from '@/shared/people/playerPath';
import { VISIBILITIES, VISIBILITY_TEXTS } from '@/shared/people/visibility';
import { userChanged } from '@/shared/session/sessionSlice';
import { useAppDispatch } from '@/shared/storeHooks';
import { Card } from '@/shared/ui/Card';
import { Choice } from '@/shared/ui/Choice';
import textLink from '@/shared/ui/textLink.module.css';
import { toast } from '@/shared/ui/toast';
import { useAccount } from './useAccount';

/** Who sees the user's player page; saved at once. */
export function PageVisibility() {
  const user = useAccount();
  const dispatch = useAppDispatch();
  const [update] = useUpdateProfileMutation();
  const choose = async (profileVisibility: (typeof VISIBILITIES)[number]) => {
    // Shown at once, and taken back if it could not be stored.
    dispatch(userChanged({ ...user, profileVisibility }));
    const { data, error } = await update({ userId: user.userId, profileVisibility });
    dispatch(userChanged(data?.user ?? user));
    if (error === undefined) toast.success(VISIBILITY_TEXTS[profileVisibility].seen.replace('this page', 'your page'));
    else toast.error(failureText(error, 'Request failed'));
  };
  return (
    <Card title="Your player page">
      <Choice
        legend="Who sees your results and games"
        value={user.profileVisibility}
        onChange={(chosen) => void choose(chosen)}
        options={VISIBILITIES.map((value) => ({
          value,
          label: VISIBILITY_TEXTS[value].label,
          detail: VISIBILITY_TEXTS[value].detail,
        }))}
      />
      <Link to={playerPath(user.username) ?? '/app/home'} className={textLink.link}>
        See your page
      </Link>
    </Card>
  );
}
