import { useState } from 'react';
import { BankQuestion } from './BankQuestion';
import { outcomeOf } from './form';
import type { QuestionProps } from './question';
import { StandIn } from './standIn';

interface StandInQuestionProps extends QuestionProps {
  apiBase: string;
}

/** The bank's question where the server talks to a stand-in instead of the provider. */
export default function StandInQuestion({ apiBase, publishableKey, clientSecret, onAnswered }: StandInQuestionProps) {
  const [isOpen, setOpen] = useState(true);
  const answer = async (isThem: boolean) => {
    setOpen(false);
    const intent = await new StandIn(apiBase, publishableKey, clientSecret).authenticate(isThem);
    const outcome = 'failure' in intent ? intent : outcomeOf(intent);
    onAnswered('failure' in outcome ? outcome.failure : null);
  };
  return <BankQuestion opened={isOpen} onAnswer={(isThem) => void answer(isThem)} />;
}
