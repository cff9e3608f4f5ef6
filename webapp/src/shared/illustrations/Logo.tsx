import { Cross, Drawing, Ring } from './Drawing';

/** The two marks, side by side. */
export function Logo({ className }: { className?: string | undefined }) {
  return (
    <Drawing width={72} height={36} className={className}>
      <Cross x={2} y={2} size={32} />
      <Ring x={38} y={2} size={32} />
    </Drawing>
  );
}
