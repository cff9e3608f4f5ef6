import type { ModalProps } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';

const load = () => import('./Modal');
const Modal = lazyPart(load);

/** When the page should have finished loading, in milliseconds. */
const REST_MS = 2_000;

/** A dialog whose code is loaded after the page, for pages that must load fast. */
export function Dialog(props: ModalProps) {
  const [isWanted, setWanted] = useState(props.opened);
  if (props.opened && !isWanted) setWanted(true);
  useEffect(() => {
    // Loaded before it is opened, because the network may be gone by then.
    const timer = setTimeout(() => void load().catch(() => undefined), REST_MS);
    return () => clearTimeout(timer);
  }, []);
  return <Suspense fallback={null}>{isWanted && <Modal {...props} />}</Suspense>;
}
