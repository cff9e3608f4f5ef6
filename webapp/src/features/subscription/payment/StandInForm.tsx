import { TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { BankChallengeDialog } from './BankChallengeDialog';
import { outcomeOf, type PaymentFormProps } from './form';
import { type Card, cardError, StandIn, TEST_CARDS } from './standIn';
import classes from './StandInForm.module.css';

const NO_CARD: Card = { number: '', expiry: '', cvc: '' };

interface StandInFormProps extends PaymentFormProps {
  /** The stand-in's base URL. */
  apiBase: string;
}

/** The payment fields, if the server uses a stand-in for the provider. */
export default function StandInForm({ ref, apiBase, publishableKey, clientSecret, onReady }: StandInFormProps) {
  const standIn = useMemo(
    () => new StandIn(apiBase, publishableKey, clientSecret),
    [apiBase, publishableKey, clientSecret],
  );
  const [card, setCard] = useState(NO_CARD);
  const [isAsked, setAsked] = useState(false);
  const answered = useRef<(isThem: boolean) => void>(() => undefined);

  const ready = useEffectEvent(onReady);
  useEffect(() => ready(), []);

  useImperativeHandle(
    ref,
    () => ({
      async confirm() {
        const problem = cardError(card);
        if (problem !== null) return { failure: problem };
        const intent = await standIn.confirm(card);
        if ('failure' in intent) return intent;
        if (intent.status !== 'requires_action') return outcomeOf(intent);
        setAsked(true);
        const isThem = await new Promise<boolean>((resolve) => (answered.current = resolve));
        setAsked(false);
        const after = await standIn.authenticate(isThem);
        return 'failure' in after ? after : outcomeOf(after);
      },
    }),
    [card, standIn],
  );

  const field = (name: keyof Card) => ({
    value: card[name],
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => setCard({ ...card, [name]: event.currentTarget.value }),
  });
  return (
    <div className={classes.form}>
      <p className={classes.note}>
        This server talks to a stand-in for the payment provider: no money moves, and only its test cards are known.
      </p>
      <TextInput label="Card number" placeholder="1234 1234 1234 1234" {...field('number')} />
      <div className={classes.pair}>
        <TextInput label="Expiration date" placeholder="MM / YY" {...field('expiry')} />
        <TextInput label="Security code" placeholder="CVC" {...field('cvc')} />
      </div>
      <ul className={classes.cards} aria-label="Test cards">
        {TEST_CARDS.map(({ number, about }) => (
          <li key={number}>
            <button type="button" onClick={() => setCard({ number, expiry: '12 / 34', cvc: '123' })}>
              {number}
            </button>
            {about}
          </li>
        ))}
      </ul>
      <BankChallengeDialog opened={isAsked} onAnswer={(isThem) => answered.current(isThem)} />
    </div>
  );
}
