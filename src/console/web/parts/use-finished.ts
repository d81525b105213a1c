import type { TargetedEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Properties of a field whose value counts when it is finished: by Enter, by leaving it, or by choosing a day. What is typed before
 * stays, whatever is drawn meanwhile; another `value` replaces it.
 */
export function useFinished(value: string, finish: (value: string, field: HTMLInputElement) => void) {
  const ref = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    ref.current!.value = value;
  }, [value]);
  const onChange = ({ currentTarget: field }: TargetedEvent<HTMLInputElement>) => finish(field.value, field);
  return { ref, defaultValue: value, onChange };
}
