import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
import { words } from '../words/words.js';

interface Question {
  title: string;
  /** What will happen. */
  text: string;
  /** What the button says that does it. */
  act: string;
  run: () => void;
}

/** Asks before what cannot be undone. Show `dialog` somewhere, and call `ask`. */
export function useConfirm(): { dialog: ComponentChild; ask: (question: Question) => void } {
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => setQuestion(null);
  const dialog = question && (
    <Dialog label={question.title} close={close}>
      <div class="asked">
        <h2>{question.title}</h2>
        <p>{question.text}</p>
        <div class="asked-acts">
          <button class="button" autofocus onClick={close}>
            {words.cancel}
          </button>
          <button
            class="button main"
            onClick={() => {
              close();
              question.run();
            }}
          >
            {question.act}
          </button>
        </div>
      </div>
    </Dialog>
  );
  return { dialog, ask: setQuestion };
}
