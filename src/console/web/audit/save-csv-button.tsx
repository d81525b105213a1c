import { useEffect, useRef, useState } from 'preact/hooks';
import { notify, reasonOf } from '../data/notices.js';
import { useRoute } from '../data/route.js';
import { endedBy } from '../data/session.js';
import { saveFile } from '../parts/save-file.js';
import { words } from '../words/words.js';
import { auditCsv } from './save-csv.js';
import { filtersOf, useLog } from './use-audit.js';

const { audit: text } = words;

/** Saves what the filters leave; a second press ends it. */
export function SaveCsv() {
  const log = useLog();
  const { query } = useRoute();
  const [pages, setPages] = useState<number | null>(null);
  const aborter = useRef<AbortController>(undefined);
  useEffect(() => () => aborter.current?.abort(), []);
  const save = async () => {
    aborter.current = new AbortController();
    const { signal } = aborter.current;
    setPages(0);
    try {
      const { file, isWhole } = await auditCsv(log, filtersOf(query), setPages, signal);
      saveFile(file, 'audit.csv');
      if (!isWhole) notify(text.csvCut);
    } catch (error) {
      if (!signal.aborted && !endedBy(error)) notify(words.refused(reasonOf(error)));
    }
    setPages(null);
  };
  return (
    <button class="button" onClick={() => (pages === null ? void save() : aborter.current?.abort())}>
      {pages === null ? text.csv : text.csvSaving(pages)}
    </button>
  );
}
