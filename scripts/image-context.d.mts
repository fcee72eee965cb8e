export function writeImageContext(folder: string): Promise<void>;
