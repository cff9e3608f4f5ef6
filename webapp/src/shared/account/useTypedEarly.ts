import type { UseFormReturnType } from '@mantine/form';
import { type RefObject, useLayoutEffect, useRef } from 'react';

export interface TypedEarly<Values> {
  values: Values;
  /** The name of the field that had the focus. */
  focused: string | null;
}

/**
 * Takes over what was typed, or filled in by the browser, before the page's scripts had come. A page that shows something
 * else than its document is told by `onTaken`.
 */
export function useTypedEarly<Values extends Record<string, string>>(
  form: UseFormReturnType<Values>,
  onTaken?: (typed: TypedEarly<Values>) => void,
): RefObject<HTMLFormElement | null> {
  const box = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    let focused: string | null = null;
    for (const field of box.current?.querySelectorAll('input') ?? []) {
      if (field === document.activeElement) focused = field.name;
      if (field.name in form.getInitialValues() && field.value !== '') {
        // Updating the field would make it anew, without its focus.
        form.setFieldValue(field.name, field.value as never, { forceUpdate: false });
      }
    }
    onTaken?.({ values: form.getValues(), focused });
    // Once: later on the form knows.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return box;
}
