"""The playground opens from disk and trains without a request."""

from playwright.sync_api import expect

from export.playground import playground


def test_the_file_trains_without_a_request(chromium, tmp_path):
    file = tmp_path / "playground.html"
    file.write_text(playground(), encoding="utf-8")
    assert file.stat().st_size <= 500_000
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    requests, errors = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(f"{file.as_uri()}#pace=full")
    train = page.get_by_role("button", name="Train (key T)")
    page.keyboard.press("s")
    expect(page.locator(".numbers")).to_contain_text("iteration 1")
    page.keyboard.press("x")
    expect(page.locator(".numbers")).to_contain_text("iteration 0")
    train.click()
    expect(train).to_have_text("Train again", timeout=90_000)
    accuracy = {
        row.locator("th").inner_text(): int(row.locator("td").first.inner_text().split()[0])
        for row in page.locator("#table tr").all()[1:]
    }
    assert accuracy["NCA"] >= 90 > 60 >= max(accuracy["PCA"], accuracy["LDA"])
    page.get_by_label("Data", exact=True).select_option("drawing")
    expect(page.locator("#message")).to_contain_text("Draw at least eight points")
    expect(train).to_be_disabled()
    assert errors == []
    assert [url for url in requests if not url.startswith(("file:", "blob:", "data:"))] == []
    page.close()
