import { useEffect, useState } from 'preact/hooks';

/** Whether the page is at least so many pixels wide. */
export function useWide(pixels: number): boolean {
  const query = matchMedia(`(min-width: ${pixels}px)`);
  const [isWide, setWide] = useState(query.matches);
  useEffect(() => {
    const tell = () => setWide(query.matches);
    query.addEventListener('change', tell);
    return () => query.removeEventListener('change', tell);
  }, []);
  return isWide;
}
