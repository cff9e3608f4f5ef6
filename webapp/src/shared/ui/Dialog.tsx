import type { ModalProps } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';

const load = () => import('./Modal');
const Modal = lazy(load);

/** The page should have come to rest by then, in milliseconds. */
const REST_MS = 2_000;

/** A dialog whose code comes after the page, for pages that have to be there at once. */
export function Dialog(props: ModalProps) {
  const [isWanted, setWanted] = useState(props.opened);
  if (props.opened && !isWanted) setWanted(true);
  useEffect(() => {
    // Not only when it is opened: the network may be gone by then.
    const timer = setTimeout(() => void load().catch(() => undefined), REST_MS);
    return () => clearTimeout(timer);
  }, []);
  return <Suspense fallback={null}>{isWanted && <Modal {...props} />}</Suspense>;
}
