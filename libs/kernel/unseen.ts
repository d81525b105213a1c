/** Blanks of every width, controls, and characters that are not shown: all that nobody sees. */
export const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether there is nothing to see in the text. */
export const isBlank = (text: string): boolean => text.replace(UNSEEN, '') === '';
