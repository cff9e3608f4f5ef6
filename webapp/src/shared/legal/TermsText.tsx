import { usePlanSummary } from '@/shared/plan/usePlanSummary';
import { LegalText, OperatorContact, OperatorName, Section } from './LegalText';

/** The terms of service. */
export function TermsText() {
  return (
    <LegalText>
      <Section title="1. Who you deal with">
        <p>
          Morpion is free software that anybody may run. This server is run by <OperatorName />, called the operator
          below. These terms are between you and the operator; those who wrote the software are no party to them.{' '}
          <OperatorContact />
        </p>
      </Section>
      <Section title="2. Who may play">
        <p>
          You must be at least 13 years old. If you are under 18, you need the consent of a parent or guardian, who
          agrees to these terms with you.
        </p>
      </Section>
      <Section title="3. Your account">
        <ul>
          <li>
            Give an email address that is yours, keep your password to yourself, and say so if somebody else has it.
          </li>
          <li>An account belongs to one person and cannot be sold or handed on.</li>
          <li>
            You may play as a guest. A guest who is not seen for 30 days is removed; signing up keeps the name and the
            games.
          </li>
          <li>You can change your username once in 30 days.</li>
          <li>
            You can delete your account at any time in the settings; only the last administrator of a server cannot.
            That cannot be undone.
          </li>
        </ul>
      </Section>
      <FairPlay />
      <Section title="5. Events and prizes">
        <p>
          The page of an event says when it takes place, who may join and what can be won; whoever announces a prize
          there owes it. Taking part costs nothing beyond your plan. The free plan allows a limited number of events in
          a calendar month
          <FreeLimit />. Results can be corrected or annulled where somebody cheated or the program failed, and an event
          can be cancelled.
        </p>
      </Section>
      <Section title="6. The Pro plan">
        <p>
          Where this server offers the Pro plan, its price and period are shown before you pay. It renews at the end of
          each period until you cancel, which you can do at any time in the settings; Pro then lasts until the end of
          the period you paid for. Your card is handled by the payment provider and never by this server. Rights of
          withdrawal and refund that the law gives you as a consumer stay untouched.
        </p>
      </Section>
      <Section title="7. What you put here">
        <p>
          Your names and your picture stay yours. You allow the operator to store them and to show them to other players
          beside your games for as long as your account exists, and you make sure that you have the right to use them. A
          report about you keeps them as they were, for the administrators only. Names and pictures that break these
          terms are replaced or removed; you are told why by email.
        </p>
      </Section>
      <Section title="8. No promise of service">
        <p>
          The operator provides this server as it is and does not promise that it is always there or free of faults. The
          operator is liable without limit for intent, gross negligence, injury to life or health and wherever the law
          does not let liability be limited; otherwise only for the breach of duties on which this service rests, and
          then for the damage that could be foreseen.
        </p>
      </Section>
      <Leaving />
      <Section title="10. Changes and law">
        <p>
          If these terms change in a way that matters, you are told before it counts for you, and you can leave if you
          disagree. The law of the place where the operator lives applies; as a consumer you keep the protection that
          the law of your own country gives you. If one of these terms does not hold, the others still do.
        </p>
      </Section>
    </LegalText>
  );
}

function FairPlay() {
  return (
    <Section title="4. Fair play">
      <ul>
        <li>Think for yourself: against other people no program may choose or suggest your moves.</li>
        <li>Do not meet yourself: one person, one account in an event, and no agreed results.</li>
        <li>The server’s clock decides. A turn that runs out is lost, also when your own clock showed otherwise.</li>
        <li>Be kind. Names and pictures that insult, threaten or mislead are not welcome.</li>
        <li>
          You can report a player for a name, a picture, behaviour or the help of a program, up to 10 times in 24 hours.
          Administrators decide; whoever is reported is not told of it. Do not report what you know to be untrue.
        </li>
        <li>
          You can block a player, who is not told of it: their invitations no longer reach you, and quick match does not
          pair you. Events may still pair you.
        </li>
        <li>Do not attack, overload or search this server for ways around its limits; report what you find instead.</li>
      </ul>
    </Section>
  );
}

function FreeLimit() {
  const { freeEvents } = usePlanSummary();
  return freeEvents === undefined ? null : `, ${freeEvents} on this server`;
}

function Leaving() {
  return (
    <Section title="9. When it ends">
      <p>
        You can leave at any time by deleting your account. Finished games stay in the records of those you played,
        under ‘Deleted player’.
      </p>
      <p>
        An administrator can suspend an account that breaks these terms, until a day or without an end, or remove it. A
        suspension signs you out everywhere, forfeits your games under way, withdraws your invitations and takes you out
        of events and quick match; signing in then tells you the reason and how long it lasts. If your account has an
        email address, you are told the reason of a suspension or a removal there as well. If you think it is wrong,
        tell the operator.
      </p>
    </Section>
  );
}
