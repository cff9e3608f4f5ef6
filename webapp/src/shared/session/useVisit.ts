import { useEffect } from 'react';
import { useRealtime } from '@/realtime/RealtimeContext';
import { selectLoginStatus } from './sessionSlice';
import { useAppSelector } from '../storeHooks';

/** While the component is mounted visitors are connected too, to see changes at once: docs/behaviour/watching.md#visitors. */
export function useVisit(): void {
  const connection = useRealtime();
  const isVisitor = useAppSelector(selectLoginStatus) === 'notLogin';
  useEffect(() => (isVisitor ? connection.visit() : undefined), [connection, isVisitor]);
}
