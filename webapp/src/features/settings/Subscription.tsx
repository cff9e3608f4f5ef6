import { Card } from '@/shared/ui/Card';
import { useAccount } from './useAccount';

export function Subscription() {
  const { isProUser } = useAccount();
  return (
    <Card title={isProUser ? 'Morpion Pro' : 'Free plan'}>
      <p>
        {isProUser
          ? 'You are a Pro member: you join as many tournaments as you like.'
          : 'You play as much as you like, and join a few tournaments every month.'}
      </p>
      <p>Payments are not set up on this server, so there is nothing to pay and nothing to cancel here.</p>
    </Card>
  );
}
