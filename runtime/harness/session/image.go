// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"image"
	_ "image/gif"  // sizes of images
	_ "image/jpeg" // sizes of images
	_ "image/png"  // sizes of images
	"slices"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/store"
)

// The texts are DSH's.
const (
	textNotBase64  = "Image upload is not canonical base64."
	textWrongBytes = "Declared image type does not match its bytes."
	textNoImage    = "An image has data and mimeType, or an attachment: send one of them, and not both."
	textNoType     = "An image needs its mimeType: image/png, image/jpeg, image/webp or image/gif."
)

// checkImage refuses an image that is not one.
func checkImage(path string, b *harness.ImageBlock) error {
	if b.Attachment != nil && b.Data == nil {
		return nil
	}
	if b.Data == nil || b.Attachment != nil {
		return errInvalid(path, "%s", textNoImage)
	}
	switch b.MimeType {
	case harness.MediaPNG, harness.MediaJPEG, harness.MediaWebP, harness.MediaGIF:
	case "":
		return errInvalid(path+".mimeType", "%s", textNoType)
	default:
		return errInvalid(path+".mimeType", "Image type %s is not accepted by this deployment.", b.MimeType)
	}
	data, ok := canonicalBase64(*b.Data)
	if !ok {
		return errInvalid(path+".data", "%s", textNotBase64)
	}
	if _, _, ok := measure(b.MimeType, data); !ok {
		return errInvalid(path, "%s", textWrongBytes)
	}
	return nil
}

func canonicalBase64(text string) ([]byte, bool) {
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	return data, err == nil && len(data) > 0 && base64.StdEncoding.EncodeToString(data) == text
}

// measure returns the size of an image, if the bytes are of the type.
func measure(media harness.MediaType, data []byte) (width, height int, ok bool) {
	if media == harness.MediaWebP {
		return measureWebP(data)
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	return config.Width, config.Height, err == nil && "image/"+format == string(media)
}

// measureWebP reads the size from the first chunk of a WebP file.
func measureWebP(b []byte) (width, height int, ok bool) {
	if len(b) < 30 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return 0, 0, false
	}
	switch string(b[12:16]) {
	case "VP8 ":
		return int(binary.LittleEndian.Uint16(b[26:]) & 0x3fff), int(binary.LittleEndian.Uint16(b[28:]) & 0x3fff), true
	case "VP8L":
		bits := binary.LittleEndian.Uint32(b[21:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1, true
	case "VP8X":
		u24 := func(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
		return u24(b[24:]) + 1, u24(b[27:]) + 1, true
	}
	return 0, 0, false
}

// stored returns content as the log has it: images by reference. Their bytes are kept
// in the store, if it can.
func (e *Engine) stored(blocks []harness.ContentBlock) ([]harness.ContentBlock, error) {
	isImage := func(b harness.ContentBlock) bool {
		m, ok := b.(*harness.ImageBlock)
		return ok && m.Data != nil
	}
	if !slices.ContainsFunc(blocks, isImage) {
		return blocks, nil
	}
	ctx, cancel := e.storeContext()
	defer cancel()
	out := slices.Clone(blocks)
	for i, b := range blocks {
		if !isImage(b) {
			continue
		}
		m := b.(*harness.ImageBlock)
		data, _ := canonicalBase64(*m.Data)
		sum := sha256.Sum256(data)
		id := "sha256:" + hex.EncodeToString(sum[:])
		if a, ok := e.o.Store.(store.Attachments); ok {
			if err := a.Keep(ctx, id, data); err != nil {
				return nil, err
			}
		}
		w, h, _ := measure(m.MimeType, data)
		out[i] = &harness.ImageBlock{Attachment: &harness.ImageAttachment{
			AttachmentID: id, MediaType: m.MimeType, Width: int64(w), Height: int64(h), Bytes: int64(len(data)),
		}}
	}
	return out, nil
}
