const ADDRESS = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]])/;

/** Plain text whose web addresses can be opened. */
export const Linked = ({ text }: { text: string }) => (
  <>
    {text.split(ADDRESS).map((part, index) =>
      index % 2 === 1 ? (
        <a key={index} href={part} target="_blank" rel="noreferrer noopener">
          {part}
        </a>
      ) : (
        part
      ),
    )}
  </>
);
