export interface ChallengeProps {
  publishableKey: string;
  /** The client secret of the payment that waits for the challenge. */
  clientSecret: string;
  /** Called when it was completed or given up, with the provider's error message. */
  onAnswered: (problem: string | null) => void;
}
