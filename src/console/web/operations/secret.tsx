import { useRef } from 'preact/hooks';
import { notify } from '../data/notices.js';
import { Dialog } from '../parts/dialog.js';
import { words } from '../words/words.js';

const { operations: text } = words;

export interface Secret {
  title: string;
  value: string;
}

/** Shows a secret this once: nothing but its button closes it, and then it is nowhere in the page any more. */
export function SecretOnce({ secret, close }: { secret: Secret; close: () => void }) {
  return (
    <Dialog label={secret.title} isFirm close={close}>
      <div class="asked">
        <h2>{secret.title}</h2>
        <p>{text.secret.once}</p>
        <Copied label={text.secret.label} value={secret.value} />
        <div class="asked-acts">
          <button class="button main" onClick={close}>
            {text.secret.kept}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** A text to be taken elsewhere as it is. */
export function Copied({ label, value }: { label: string; value: string }) {
  const field = useRef<HTMLInputElement>(null);
  const copy = () => {
    field.current!.select();
    // Browsers have the clipboard for pages by https alone.
    const copied = navigator.clipboard?.writeText(value) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => notify(text.secret.copied),
      () => notify(text.secret.copyByKey),
    );
  };
  return (
    <div class="copied">
      <input
        ref={field}
        class="field"
        readonly
        aria-label={label}
        value={value}
        dir="ltr"
        onFocus={() => field.current!.select()}
      />
      <button type="button" class="button" onClick={copy} aria-label={text.secret.copyOf(label)}>
        {text.secret.copy}
      </button>
    </div>
  );
}
