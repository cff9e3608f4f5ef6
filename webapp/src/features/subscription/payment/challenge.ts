export interface ChallengeProps {
  publishableKey: string;
  /** Of the payment that waits for the answer. */
  clientSecret: string;
  /** It was answered, or given up; what went wrong is in the provider's words. */
  onAnswered: (problem: string | null) => void;
}
