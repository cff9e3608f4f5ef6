import type { UseFormReturnType } from '@mantine/form';
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Takes over what was typed, or filled in by the browser, before the page's scripts had come. */
export function useTypedEarly<Values extends Record<string, string>>(
  form: UseFormReturnType<Values>,
): RefObject<HTMLFormElement | null> {
  const box = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    for (const field of box.current?.querySelectorAll('input') ?? []) {
      if (field.name in form.getInitialValues() && field.value !== '') {
        // Updating the field would make it anew, without its focus.
        form.setFieldValue(field.name, field.value as never, { forceUpdate: false });
      }
    }
    // Once: later on the form knows.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return box;
}
