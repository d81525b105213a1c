/** A name, and what follows it in its line. */
const NAMED = /^(\s*)("(?:[^"\\]|\\.)*"):(.*)$/;

/** A value as JSON, a line for each of its parts. */
export const Json = ({ value, label }: { value: object; label: string }) => (
  <pre class="json" tabIndex={0} role="region" aria-label={label} dir="ltr">
    {JSON.stringify(value, null, 2)
      .split('\n')
      .map((line, index) => {
        const [, indent, name, rest] = NAMED.exec(line) ?? [];
        return (
          <span key={index}>
            {name === undefined ? (
              line
            ) : (
              <>
                {indent}
                <span class="json-name">{name}</span>:{rest}
              </>
            )}
            {'\n'}
          </span>
        );
      })}
  </pre>
);
