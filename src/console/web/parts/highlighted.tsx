/** Plain text in which hits stand between U+E000 and U+E001. */
export const Highlighted = ({ text }: { text: string }) => (
  <>
    {text.split('\uE000').map((part, index) => {
      if (index === 0) return part;
      const [hit, rest] = part.split('\uE001');
      return (
        <>
          <mark>{hit}</mark>
          {rest}
        </>
      );
    })}
  </>
);
