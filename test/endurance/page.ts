export async function writePage(_folder: string): Promise<void> {}
