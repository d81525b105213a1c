/** A person as a message names them; null where it does not. */
export interface Named {
  name: string | null;
  email: string | null;
  phone_number: string | null;
}
