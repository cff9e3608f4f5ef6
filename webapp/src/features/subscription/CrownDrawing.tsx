import type { CSSProperties } from 'react';
import { Cross, Drawing, Ring } from '@/shared/illustrations/Drawing';
import strokes from '@/shared/illustrations/strokes.module.css';

// Both marks in ink: their own colours lack contrast on gold in the dark theme.
const INK = { '--x': 'var(--on-accent)', '--o': 'var(--on-accent)' } as CSSProperties;

/** A hand-drawn crown with the marks as jewels. */
export function CrownDrawing({ className }: { className?: string | undefined }) {
  return (
    <Drawing width={240} height={160} className={className}>
      <path
        className={strokes.fill}
        d="M44 132c-5-26-11-52-18-77 16 9 30 19 44 30 15-20 32-41 50-62 17 21 33 42 49 63 15-11 30-21 46-30-8 25-15 50-20 76-50-3-101-3-151 0Z"
      />
      <path d="M44 132c-5-26-11-52-18-77 16 9 30 19 44 30 15-20 32-41 50-62 17 21 33 42 49 63 15-11 30-21 46-30-8 25-15 50-20 76-50-3-101-3-151 0ZM46 146c49-3 98-3 148 0" />
      <g style={INK}>
        <Cross x={70} y={94} size={24} />
        <Ring x={108} y={88} size={26} />
        <Cross x={148} y={94} size={24} />
      </g>
      <path d="M26 42c-4 0-7 3-6 7 0 4 4 6 8 5 3-1 5-4 4-7-1-3-3-5-6-5ZM120 10c-4 0-7 3-7 7s4 7 8 6 6-4 5-8c-1-3-3-5-6-5ZM216 43c-4-1-7 3-7 6 1 4 4 6 7 6 4-1 6-4 5-7 0-3-2-5-5-5Z" />
    </Drawing>
  );
}
