import { useRef, useState } from 'preact/hooks';
import { ParleyError } from '../data/api.js';
import { reasonOf } from '../data/notices.js';
import { isLinkUsed, signIn } from '../data/session.js';
import { Icon } from '../parts/icon.js';
import { words } from '../words/words.js';

const { signIn: text } = words;

export function SignIn() {
  const [refusal, setRefusal] = useState<string | null>(isLinkUsed ? text.linkUsed : null);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    const key = field.current!.value.trim();
    if (key === '') return field.current!.focus();
    setBusy(true);
    try {
      await signIn(key);
    } catch (error) {
      setRefusal(error instanceof ParleyError && error.status === 401 ? text.refused : reasonOf(error));
      setBusy(false);
      field.current?.select();
    }
  };
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <div class="brand">
          <Icon name="mark" /> {words.product}
        </div>
        <h1>{text.title}</h1>
        <div>
          <label class="label" for="key">
            {text.key}
          </label>
          <input
            id="key"
            ref={field}
            class="field"
            type="password"
            autocomplete="off"
            spellcheck={false}
            autofocus
            aria-invalid={refusal !== null}
            aria-describedby="key-hint"
          />
          <p id="key-hint" class="quiet small">
            {text.hint}
          </p>
        </div>
        <div role="alert">{refusal !== null && <p class="refusal">{refusal}</p>}</div>
        <button class="button main" disabled={isBusy}>
          {isBusy ? text.busy : text.act}
        </button>
      </form>
    </main>
  );
}
