import { useState } from 'react';
import { BankChallengeDialog } from './BankChallengeDialog';
import { outcomeOf } from './form';
import type { ChallengeProps } from './challenge';
import { StandIn } from './standIn';

interface StandInChallengeProps extends ChallengeProps {
  apiBase: string;
}

/** The bank challenge, if the server uses a stand-in for the provider. */
export default function StandInChallenge({ apiBase, publishableKey, clientSecret, onAnswered }: StandInChallengeProps) {
  const [isOpen, setOpen] = useState(true);
  const answer = async (isThem: boolean) => {
    setOpen(false);
    const intent = await new StandIn(apiBase, publishableKey, clientSecret).authenticate(isThem);
    const outcome = 'failure' in intent ? intent : outcomeOf(intent);
    onAnswered('failure' in outcome ? outcome.failure : null);
  };
  return <BankChallengeDialog opened={isOpen} onAnswer={(isThem) => void answer(isThem)} />;
}
