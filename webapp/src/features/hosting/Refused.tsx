import { Link } from 'react-router';
import { useGetProvidersQuery } from '@/api/account';
import type { HostingRefusal } from '@/api/events';
import { AccountNeeded } from '@/shared/events/AccountNeeded';
import buttons from '@/shared/ui/buttons.module.css';
import { EmptyList } from '@/shared/ui/EmptyList';
import { Card } from '@/shared/ui/Card';
import { ifKnown } from '@/shared/ui/Loaded';

/** Why somebody may not host an event, and what to do about it. */
export function Refused({ refusal }: { refusal: HostingRefusal }) {
  switch (refusal) {
    case 'off':
      return (
        <EmptyList>
          <h2>Members do not host events here</h2>
          <p>The operator of this server has switched it off. You can still join other people’s events.</p>
          <Link to="/app/events" className={buttons.primary}>
            See all events
          </Link>
        </EmptyList>
      );
    case 'guest':
      return (
        <Card title="Almost there">
          <AccountNeeded />
        </Card>
      );
    case 'emailNotVerified':
      return <EmailNotVerified />;
  }
}

function EmailNotVerified() {
  const providers = ifKnown(useGetProvidersQuery());
  return (
    <Card title="Verify your email first">
      <p>
        {providers?.mail === false
          ? 'Hosts need a verified email, and this server sends no mail. Ask its operator to let you host.'
          : 'Hosts need a verified email. You verify yours in the settings, with a code; it takes a minute.'}
      </p>
      <div>
        <Link to="/app/setting/security" className={buttons.primary}>
          Verify your email
        </Link>
      </div>
    </Card>
  );
}

/** As many events are open as one may host at once. */
export function TooMany({ limit }: { limit: number }) {
  return (
    <Card title={`You host ${limit === 1 ? 'an event' : `${limit} events`} already`}>
      <p>That is as many as you can have open at once. End or cancel one of them, and you can host another.</p>
    </Card>
  );
}
