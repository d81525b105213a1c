/** What `answer` gives within this time; throws when it takes longer. */
export function within<Answer>(milliseconds: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it does not answer')), milliseconds);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
